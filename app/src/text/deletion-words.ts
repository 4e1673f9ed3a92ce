import { count, words } from "../strings/interface.ts";

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** What deleting a thread deletes, for the question that is asked first: "2 runs, 1 file, and everything else". */
export function deletedParts(runs: number, files: number): string {
	const parts = [...(runs > 0 ? [count(runs, "run")] : []), ...(files > 0 ? [count(files, "file")] : [])];
	return list.format([...parts, parts.length === 0 ? words.remove.everything : words.remove.everythingElse]);
}
