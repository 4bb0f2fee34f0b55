// The page has the first rows of Explore. All rows, and the script that sorts and filters them, load when a visitor
// touches the page or follows a link to a filtered table. Someone who only looks pays neither bytes nor time.
const place = document.querySelector("#explore");
const turns = ["pointermove", "pointerdown", "keydown", "focusin", "input", "scroll"];
let pressed; // the last button pressed before the script was there

const failed = () => {
  place.classList.remove("coming");
  const status = document.querySelector("#explored");
  status.textContent = "The whole table could not be fetched. Reload the page to try again.";
};
place.addEventListener("failed", failed);

const come = () => {
  for (const turn of turns) removeEventListener(turn, come, true);
  const { rows, script, integrity } = place.dataset;
  const element = (name, properties) => Object.assign(document.createElement(name), properties);
  document.head.append(
    element("link", { rel: "preload", as: "fetch", href: rows, crossOrigin: "anonymous" }),
    element("script", { type: "module", src: script, integrity, onerror: failed }),
  );
};
for (const turn of turns) addEventListener(turn, come, { capture: true, passive: true });
if (location.search) {
  place.classList.add("coming"); // the first rows are not the ones that the link shows
  come();
}

const press = ({ target }) => { pressed = target.closest("th[data-key], [data-take]") ?? pressed; };
place.addEventListener("click", press);
place.addEventListener("come", () => {
  place.removeEventListener("click", press);
  place.classList.remove("coming");
  if (pressed) (pressed.dataset.key ? place.querySelector(`th[data-key="${pressed.dataset.key}"]`) : pressed).click();
}, { once: true });
