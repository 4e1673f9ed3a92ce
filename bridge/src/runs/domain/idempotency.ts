import { createHash } from "node:crypto";
import { type ArtifactContract, hashOf, openArtifactContract, type Sha256, type SubmitParams } from "@xworkmate/contracts";

/**
 * sha256 of the input that must be equal in two submissions of one turnId: prompt, workspaceContext, routing, attachments (names, hashes),
 * artifact contract, and `xworkmateAssistant` (docs/protocol.md#identifiers). The method and the session are not part of it.
 */
export function inputHash(params: SubmitParams): Sha256 {
	const { prompt, workspaceContext = null, routing } = params;
	const attachments = (params.attachments ?? []).map(({ name, sha256 }) => [name, sha256]);
	const where = [routing.executionTarget, routing.providerId ?? null, routing.model ?? null];
	const { xworkmateAssistant } = params.metadata ?? {};
	// An absent `xworkmateAssistant` adds nothing, so that the hash of a turn that an earlier bridge accepted stays the same.
	const assistant = xworkmateAssistant === undefined ? [] : [hashOf(xworkmateAssistant)];
	const input = [prompt, workspaceContext, where, attachments, contractKey(artifactContractOf(params)), ...assistant];
	return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}

/** The artifact contract of a turn, or one that requires nothing if the turn has none. */
export function artifactContractOf(params: SubmitParams): ArtifactContract {
	return params.metadata?.xworkmateTaskArtifactContract ?? openArtifactContract;
}

function contractKey(contract: ArtifactContract): unknown {
	return [
		contract.requiresExport,
		contract.required.map(({ glob, minCount }) => [glob, minCount]),
		contract.expectedArtifactDirs,
		contract.currentTaskWorkspace,
		contract.localWorkspace ?? null,
		contract.remoteWorkspaceHint ?? null,
	];
}
