// Suggests what goes by the typed words, in the browser's own list. Choosing one opens its page.
const field = document.getElementById("search");
const list = document.createElement("datalist");
list.id = "suggestions";
field.after(list);
field.setAttribute("list", list.id);

const pages = new Map();
let pause;
let asked = new AbortController();

async function suggest(words) {
  asked.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(`/v1/search?limit=8&q=${encodeURIComponent(words)}`, { signal: asked.signal });
    if (!answer.ok) return;
    const found = await answer.json();
    // A device and the host of the same name are one suggestion.
    const shown = [...found.pages, ...found.modules].filter(({ name, url }, i, all) =>
      url && all.findIndex((other) => other.name === name) === i);
    list.replaceChildren(...shown.map(({ name, url, kind = "" }) => {
      pages.set(name, url);
      // Browsers show only what holds the typed text, as the alias of a device does.
      return new Option(name.toLowerCase().includes(words.toLowerCase()) ? kind : words, name);
    }));
  } catch {
    // Searching works without suggestions.
  }
}

field.addEventListener("input", ({ inputType }) => {
  clearTimeout(pause);
  const words = field.value.trim();
  // Only a chosen suggestion has no input type, or replaces the whole text.
  if ((!inputType || inputType === "insertReplacementText") && pages.has(words)) location.assign(pages.get(words));
  else if (words.length > 1) pause = setTimeout(suggest, 150, words);
});
