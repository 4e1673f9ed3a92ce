import { editsLine, type RunEdits } from "@xworkmate/contracts";
import { printable } from "../../../text/printable.ts";

/** What is known to have changed in the folder where the run worked, as one line. */
export function editsLines(edits: RunEdits | undefined): readonly string[] {
	return edits === undefined ? [] : [`  ${printable(editsLine(edits))}`];
}
