// Another passage on the same page: what stands around the words, as the server would have written it.

/** @param {function} find by data name  @param {object} page as the API tells it */
export function turnTo(find, page) {
  const { passage, number } = page;
  const given = { lang: passage.lang, dir: passage.dir };
  window.history.pushState(null, "", `/p/${page.project}/work/${number}`);
  document.title = `Passage ${number} · Assay`;
  document.querySelector("[data-place]").textContent = page.place;
  find("heading").textContent = `Passage ${number}`;
  find("said").textContent = "";
  for (const part of ["before", "after"]) {
    const text = passage[`context_${part}`];
    Object.assign(find(`context-${part}`), { textContent: text, hidden: text === "", ...given });
  }
  Object.assign(find("reading"), { textContent: passage.text, ...given });
  Object.assign(find("kind"), { textContent: page.kind_note, hidden: page.kind_note === "" });
}
