import type { EditList } from "@xworkmate/contracts";
import { changesWords as words } from "../../strings/files/changes-words.ts";
import { fill } from "../../strings/interface.ts";
import { formatTime } from "../text/format.ts";

export function sayFiles(count: number): string {
	return count === 1 ? words.filesCount.one : fill(words.filesCount.other, { count });
}

/** When the record of the thread's runs in the user's folder began; empty if the record doesn't say. */
export function sayBeginning({ since }: Pick<EditList, "since">): string {
	return since === undefined ? "" : fill(words.at, { time: formatTime(since) });
}
