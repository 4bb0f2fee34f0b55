import "./sort.js";
import "./table.js";
import "./command.js";
