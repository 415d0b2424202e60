// Ctrl+Enter (⌘ Enter) in a text sends its form, as it submits a passage.

document.addEventListener("keydown", (event) => {
  const form = event.target.closest("textarea")?.form;
  if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
