// Sorting by every column. Without this script a heading is a link to a pre-sorted page, or plain text.
import "../vendor/sortable-tablesort/sortable.js";
import { sortSortable } from "../vendor/sortable-tablesort/sortSortable.js";

// A link must not act as a button, so each heading's link or text becomes one.
for (const label of document.querySelectorAll("table.sortable thead th > :is(a, span)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...label.childNodes);
  label.replaceWith(button);
}

// The sorter reads the first direction from the table's class. Set it to the column's before the sorter sees the click.
// The "?" in a heading sorts nothing.
document.addEventListener("click", (event) => {
  const heading = event.target.closest("table.sortable thead th");
  heading?.closest("table").classList.toggle("asc", heading.dataset.first === "ascending");
  if (event.target.matches(".explain")) event.stopPropagation();
}, true);

// The sorter waits for a timer. Sort at once, or the browser may lay out the whole table for the mark in the heading.
document.addEventListener("click", ({ target, shiftKey, altKey }) => {
  const table = target.closest("table.sortable");
  if (!table?.dataset.timer) return;
  clearTimeout(table.dataset.timer);
  delete table.dataset.timer;
  sortSortable(table, shiftKey || altKey);
});

// The heading of a section is sorted with its rows. Move it back to the top. The caption names the column of now.
document.addEventListener("sort-end", ({ target }) => {
  const heading = target.querySelector("th[aria-sort]");
  const caption = target.caption?.querySelector("span");
  if (heading && caption) {
    const name = heading.querySelector("button").firstChild.textContent.trim();
    caption.textContent = `Sorted by ${name}, ${heading.ariaSort}. A column heading sorts by that column.`;
  }
  for (const section of target.tBodies) {
    const first = section.querySelector("tr.section");
    if (first) section.prepend(first);
  }
});
