import type { EarlierTurn, PreviousArtifacts, ProviderTurn } from "../../ports/agents/provider.ts";
import type { PreparedWorkspace } from "../../ports/runs/run-workspace.ts";
import type { ProviderSession } from "../../ports/runs/session-store.ts";
import { composePrompt } from "../domain/composed-prompt.ts";
import type { LiveRun } from "./live-run.ts";

/** The turn that the provider receives for a run. */
export function toProviderTurn(
	{ record, state }: LiveRun,
	workspace: PreparedWorkspace,
	earlier: PreviousArtifacts | undefined,
	session: ProviderSession | undefined,
	conversation: readonly EarlierTurn[] | undefined,
): ProviderTurn {
	const { workspaceContext, prompt, artifactContract, assistant } = record.input;
	const account = assistant?.authProfile;
	const { model } = record.provider;
	const { message, thought } = state;
	return {
		runId: record.runId,
		threadId: record.threadId,
		sessionId: record.sessionId,
		turnId: record.turnId,
		prompt,
		composedPrompt: composePrompt(record.input, workspace.artifactDirectory, earlier),
		...(workspaceContext === undefined ? {} : { workspaceContext }),
		...(earlier === undefined ? {} : { earlier }),
		artifactContract,
		begun: state.handedOver,
		spoken: { ...(message && { message }), ...(thought && { thought }) },
		...(model === undefined ? {} : { model }),
		...(account === undefined ? {} : { account }),
		artifactScope: record.artifactScope,
		artifactDirectory: workspace.artifactDirectory,
		workingDirectory: workspace.workingDirectory,
		attachments: workspace.attachments,
		...(session === undefined ? {} : { session }),
		...(conversation === undefined ? {} : { conversation }),
	};
}
