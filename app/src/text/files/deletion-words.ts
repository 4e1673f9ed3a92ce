import type { ThreadFolder } from "@xworkmate/contracts";
import { count, fill } from "../../strings/interface.ts";
import { removalWords } from "../../strings/threads/removal-words.ts";
import { capitalized } from "../capital.ts";

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** What deleting a thread deletes, for the confirmation that is requested first: "2 runs, 1 file, and everything else". */
export function deletedParts(runs: number, files: number, isMore = false): string {
	const parts = [...(runs > 0 ? [count(runs, "run")] : []), ...(files > 0 ? [countedFiles(files, isMore)] : [])];
	return list.format([...parts, parts.length === 0 ? removalWords.everything : removalWords.everythingElse]);
}

/**
 * What is deleted on the bridge's computer, in one text per folder. If none of the folders is in a project folder, a sentence says that
 * project folders are not affected. `shown` makes a path harmless to print.
 */
export function deletedFolders(folders: readonly ThreadFolder[] | undefined, shown: (path: string) => string): readonly string[] {
	if (folders === undefined) return [removalWords.unknown];
	const lines = folders.map(({ kind, path, files, more, branch = "", ignored, repositories }) =>
		fill(removalWords[kind], {
			...{ files: countedFiles(files, more), path: shown(path), branch: shown(branch) },
			ignored: ignoredFiles(ignored),
			repositories: nestedRepositories(repositories, shown),
		}),
	);
	return folders.some(({ kind }) => kind === "project") ? lines : [...lines, removalWords.noProject];
}

/**
 * Runs of a thread at bridges that the app does not use now, with the addresses of bridges elsewhere. `own`: some are at the bridge of the
 * app's own home, which an app of an earlier version does not say.
 */
interface RunsElsewhere {
	readonly runs: number;
	readonly addresses: readonly string[];
	readonly own?: true;
}

interface KeptParts {
	readonly elsewhere?: RunsElsewhere;
	/** A run was on an OpenClaw gateway. */
	readonly onGateway?: true;
}

/** What is not deleted with a thread: its runs at other bridges, and what its gateway keeps. `shown` makes an address harmless to print. */
export function keptRuns({ elsewhere, onGateway }: KeptParts, shown: (address: string) => string): readonly string[] {
	const gateway = onGateway === true ? [removalWords.gateway] : [];
	if (elsewhere === undefined) return gateway;
	const { runs, own = false, addresses } = elsewhere;
	const others = fill(addresses.length > 1 ? removalWords.atMore : removalWords.atOne, { addresses: list.format(addresses.map(shown)) });
	const places = [...(own ? [removalWords.atOwn] : []), ...(addresses.length > 0 ? [others] : own ? [] : [removalWords.atOther])];
	return [fill(removalWords.elsewhere, { runs: count(runs, "run"), places: list.format(places) }), ...gateway];
}

/** The sentence about files that git ignores, which are not committed to the branch. Earlier bridges don't count these files. */
function ignoredFiles(ignored: ThreadFolder["ignored"]): string {
	if (ignored === undefined) return removalWords.ignoredUnknown;
	const { files, more } = ignored;
	if (files === 0 && !more) return "";
	return fill(files === 1 && !more ? removalWords.ignoredOne : removalWords.ignored, { files: capitalized(countedFiles(files, more)) });
}

/** The sentence about git repositories inside the worktree, which are not committed to the branch either. */
function nestedRepositories(nested: ThreadFolder["repositories"], shown: (path: string) => string): string {
	if (nested === undefined) return "";
	const { count: all, paths } = nested;
	const named = [...paths.map(shown), ...(all > paths.length ? ["…"] : [])].join(", ");
	return fill(all === 1 ? removalWords.repository : removalWords.repositories, { count: all, paths: named });
}

function countedFiles(files: number, isMore = false): string {
	return isMore ? fill(removalWords.moreThan, { files: count(files, "file") }) : count(files, "file");
}
