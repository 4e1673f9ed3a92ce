import { gitBounds } from "../git/git-bounds.ts";
import type { EditService, ProjectRepositories } from "../ports/agents/edit-service.ts";
import type { Clock } from "../ports/clock.ts";
import { EditHomes, type EditHomesOptions } from "./edit-homes.ts";
import { EditMethods, type EditMethodsDeps } from "./edit-methods.ts";
import { finishInterrupted } from "./move-files.ts";
import { ThreadRepositories } from "./thread-repositories.ts";

export interface Edits {
	readonly repositories: ProjectRepositories;
	methods(deletion: EditMethodsDeps["deletion"], lock: EditMethodsDeps["lock"]): EditService;
	/** To be called at startup: finishes what an earlier bridge was writing. */
	finishInterrupted(onFault: (error: unknown) => void): Promise<void>;
}

/** Creates the functions that show and apply what threads change in git repositories. */
export function createEdits(options: EditHomesOptions, clock: Clock, bounds = gitBounds): Edits {
	const homes = new EditHomes(options, bounds);
	return {
		repositories: new ThreadRepositories(homes, clock),
		methods: (deletion, lock) => new EditMethods({ homes, deletion, lock }),
		finishInterrupted: (onFault) => finishInterrupted(homes, onFault),
	};
}
