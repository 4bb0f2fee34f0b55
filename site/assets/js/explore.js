// The first rows of Explore stand on the page. All rows, and what sorts and filters them, come when somebody turns to the page, or follows a
// link to a part of it: who only looks, on a phone, pays neither the bytes nor the time.
const place = document.querySelector("#explore");
const turns = ["pointermove", "pointerdown", "keydown", "focusin", "input", "scroll"];
let pressed; // last, before anything could answer

const failed = () => {
  place.classList.remove("coming");
  document.querySelector("#explored").textContent = "The whole table could not be fetched. Reload the page to try again.";
};
place.addEventListener("failed", failed);

const come = () => {
  for (const turn of turns) removeEventListener(turn, come, true);
  const { rows, script, integrity } = place.dataset;
  const link = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", href: rows, crossOrigin: "anonymous" });
  document.head.append(link, Object.assign(document.createElement("script"), { type: "module", src: script, integrity, onerror: failed }));
};
for (const turn of turns) addEventListener(turn, come, { capture: true, passive: true });
if (location.search) {
  place.classList.add("coming"); // the rows are those of another part
  come();
}

const press = ({ target }) => { pressed = target.closest("th[data-key], [data-take]") ?? pressed; };
place.addEventListener("click", press);
place.addEventListener("come", () => {
  place.removeEventListener("click", press);
  place.classList.remove("coming");
  if (pressed) (pressed.dataset.key ? place.querySelector(`th[data-key="${pressed.dataset.key}"]`) : pressed).click();
}, { once: true });
