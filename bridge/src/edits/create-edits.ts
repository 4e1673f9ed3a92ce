import { gitBounds } from "../git/git-bounds.ts";
import type { EditService, ProjectRepositories } from "../ports/agents/edit-service.ts";
import type { Clock } from "../ports/clock.ts";
import { EditHomes, type EditHomesOptions } from "./edit-homes.ts";
import { EditMethods, type EditMethodsDeps } from "./edit-methods.ts";
import { finishInterrupted, leaveInterrupted } from "./move-files.ts";
import { ThreadRepositories } from "./thread-repositories.ts";

export interface Edits {
	readonly repositories: ProjectRepositories;
	methods(deletion: EditMethodsDeps["deletion"], lock: EditMethodsDeps["lock"]): EditService;
	/**
	 * Must be called at startup: finishes what an earlier bridge was writing. `isBackup`: the home was restored from a backup, so nothing is
	 * written, and the unfinished files are only recorded.
	 */
	afterInterruption(isBackup: boolean, onFault: (error: unknown) => void): Promise<void>;
}

/** Creates the functions that show and apply what threads change in git repositories. */
export function createEdits(options: EditHomesOptions, clock: Clock, bounds = gitBounds): Edits {
	const homes = new EditHomes(options, bounds);
	return {
		repositories: new ThreadRepositories(homes, clock),
		methods: (deletion, lock) => new EditMethods({ homes, deletion, lock }),
		afterInterruption: (isBackup, onFault) => (isBackup ? leaveInterrupted : finishInterrupted)(homes, onFault),
	};
}
