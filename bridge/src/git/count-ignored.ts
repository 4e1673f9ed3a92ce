import { splitRecords } from "./git-paths.ts";
import type { OwnRepository } from "./own-repository.ts";

/** The limit on git's output. A file name takes up about 100 bytes, so it allows about 10,000 files. */
const MOST_BYTES = 1_000_000;

/**
 * How many files of a work tree git ignores; a `Look` does not contain them. The bridge's own files in `.xworkmate` are not counted. `more`:
 * there are more than were counted. An ignored repository in the work tree counts as one file and sets `more`.
 * @throws GitError
 */
export async function countIgnored(own: OwnRepository, workTree: string): Promise<{ readonly files: number; readonly more?: true }> {
	const { output, isCut } = await own.run({
		workTree,
		args: ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"],
		outputBytes: Math.min(MOST_BYTES, own.bounds.outputBytes),
		cuts: true,
	});
	const whole = isCut ? output.subarray(0, output.lastIndexOf(0) + 1) : output;
	const paths = splitRecords(whole).filter((path) => path !== "" && !path.split("/").includes(".xworkmate"));
	return { files: paths.length, ...((isCut || paths.some(isRepository)) && { more: true }) };
}

/** True for a repository inside the work tree: git names only its folder, with a slash at the end. */
function isRepository(path: string): boolean {
	return path.endsWith("/");
}
