import "./sort.js";
import "./table.js";
import "./command.js";
import "./suggest.js";
