import { originWords } from "../../../strings/origin-words.ts";
import { oneLine } from "../../../text/printable.ts";

/** Who started a run that this app did not start. */
export function originLines(origin: Parameters<typeof originWords>[0] | undefined): readonly string[] {
	return origin === undefined ? [] : [`  ${oneLine(originWords(origin))}`];
}
