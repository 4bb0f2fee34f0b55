// On a touch screen the first tap names a tick of the home page's picture, and the second opens its page.
let named;
document.querySelector(".strip:has(a)")?.addEventListener("click", (event) => {
  const tick = event.target.closest("a");
  if (event.pointerType === "touch" && tick && tick !== named) event.preventDefault();
  named = tick;
});
