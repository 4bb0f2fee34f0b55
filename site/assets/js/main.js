import "./sort.js";
import "./command.js";
