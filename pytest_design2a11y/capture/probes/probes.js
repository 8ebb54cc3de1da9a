// All functions of the probes in a frame, together, so that an element has the same number in all of them.
import * as hover from "./hover.js";
import * as keyboard from "./keyboard.js";
import * as motion from "./motion.js";
import * as names from "./names.js";
import * as probe from "./probe.js";
import * as scheme from "./scheme.js";
import * as targets from "./targets.js";
import * as textLoss from "./text_loss.js";
import * as tree from "../page/tree.js";

export { hover, keyboard, motion, names, probe, scheme, targets, textLoss, tree };
