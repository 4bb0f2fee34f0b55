// Commands name the site that shows them, and have a button to copy them.
for (const origin of document.querySelectorAll("[data-origin]")) origin.textContent = location.origin;

if (navigator.clipboard) {
  for (const command of document.querySelectorAll(".command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(command.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    command.append(button);
  }
}
