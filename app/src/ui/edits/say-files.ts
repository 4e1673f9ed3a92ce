import { changesWords as words } from "../../strings/changes-words.ts";
import { fill } from "../../strings/interface.ts";

export function sayFiles(count: number): string {
	return count === 1 ? words.filesCount.one : fill(words.filesCount.other, { count });
}
