// The rules of three protocols as the server tells them to the page.

const LENGTHS = { substitute: 200, note: 2000, remark: 2000, question: 2000, marks: 200, substitutes: 50 };

export const SWS = {
  spans: { are_free: true, may_overlap: true, may_be_empty: false, may_cross_sentences: true },
  separator: ";",
  folds: true,
  min_substitutes: 1,
  max_substitutes: null,
  substitutes_may_be_empty: false,
  flags: [],
  types: [{ key: "R", label: "Refine usage", hint: "", line: 0 }, { key: "D", label: "Diversify expression", hint: "", line: 1 }],
  warn_below_marks: 3,
  lengths: LENGTHS,
};

export const LEXSUB = {
  ...SWS,
  spans: { ...SWS.spans, are_free: false },
  min_substitutes: 0,
  max_substitutes: 3,
  flags: ["nil", "name"],
  types: [{ key: "substitute", label: "Substitute", hint: "", line: 0 }],
  warn_below_marks: 0,
};

/** Corrections are taken to the letter, and no two lie over each other. */
export const HOO = {
  ...SWS,
  spans: { are_free: true, may_overlap: false, may_be_empty: true, may_cross_sentences: false },
  separator: "",
  folds: false,
  min_substitutes: 0,
  substitutes_may_be_empty: true,
  types: [{ key: "error", label: "Error", hint: "", line: 0 }],
  warn_below_marks: 0,
};
