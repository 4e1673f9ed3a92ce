import type { ArtifactContract, RequiredArtifact } from "@xworkmate/contracts";
import type { Draft, TurnDetail } from "../../api/ui-api.ts";
import type { ComposerOptions } from "./send-composed.ts";

/** The options of the draft or, if there is no draft, the agent and folder that the thread last used. */
export function firstOptions(draft: Draft | undefined, last: TurnDetail | undefined): ComposerOptions {
	// A file is saved before the draft's options are, so a draft without text may not have any yet.
	const isChosen = draft !== undefined && (draft.prompt !== "" || draft.routing !== undefined);
	const routing = draft?.routing ?? last?.request.routing;
	const { workingDirectory, worktree } = (isChosen ? draft : last?.request) ?? {};
	return {
		...(routing && { routing }),
		...(workingDirectory !== undefined && { workingDirectory }),
		...(worktree && { worktree }),
		...(draft?.require && { require: draft.require }),
		...(draft?.requiresExport && { requiresExport: true }),
	};
}

export function optionsOf({ request: { routing, workingDirectory, worktree, contract } }: TurnDetail): ComposerOptions {
	return {
		routing,
		...(workingDirectory !== undefined && { workingDirectory }),
		...(worktree && { worktree }),
		...demandsIn(contract),
	};
}

/** What a message requires of the files that its run delivers. */
type Demands = Pick<ComposerOptions, "require" | "requiresExport">;

/** The requirements of a message that was sent, for use in another message. */
export function demandsIn({ required, requiresExport }: ArtifactContract): Demands {
	return { ...(required.length > 0 && { require: required }), ...(requiresExport && { requiresExport: true }) };
}

/** The options with different requirements. */
export function demanding({ require: _files, requiresExport: _any, ...rest }: ComposerOptions, demands: Demands): ComposerOptions {
	return { ...rest, ...demands };
}

export function isDemanding({ require = [], requiresExport = false }: Demands): boolean {
	return require.length > 0 || requiresExport;
}

export function demandsOf(require: ComposerOptions["require"] = []): readonly RequiredArtifact[] {
	return require.map((demand) => (typeof demand === "string" ? { glob: demand, minCount: 1 } : demand));
}
