import type { RequiredArtifact } from "@xworkmate/contracts";
import type { Draft, TurnDetail } from "../../api/ui-api.ts";
import type { ComposerOptions } from "./send-composed.ts";

/** The options of the draft or, without a draft, the agent and folder that the thread last used. */
export function firstOptions(draft: Draft | undefined, last: TurnDetail | undefined): ComposerOptions {
	// A draft that consists only of files has no options.
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
		...(contract.required.length > 0 && { require: contract.required }),
		...(contract.requiresExport && { requiresExport: true }),
	};
}

export function demandsOf(require: ComposerOptions["require"] = []): readonly RequiredArtifact[] {
	return require.map((demand) => (typeof demand === "string" ? { glob: demand, minCount: 1 } : demand));
}
