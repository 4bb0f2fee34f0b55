import { sortableEventListener } from "./sortableEventListener.js";
document.addEventListener("click", sortableEventListener);
