import { editsLine, type RunEdits } from "@xworkmate/contracts";
import { printable } from "../../text/printable.ts";

/** What is known to have changed where the run worked, on a line of its own. */
export function editsLines(edits: RunEdits | undefined): readonly string[] {
	return edits === undefined ? [] : [`  ${printable(editsLine(edits))}`];
}
