import { createHash } from "node:crypto";
import { type ArtifactContract, openArtifactContract, type Sha256, type SubmitParams } from "@xworkmate/contracts";

/**
 * sha256 over what makes two submits of one turnId the same: prompt, workspaceContext, routing,
 * attachment hashes, artifact contract (docs/protocol.md#identifiers). Neither the method nor the session is part of it.
 */
export function inputHash(params: SubmitParams): Sha256 {
	const { prompt, workspaceContext = null, routing } = params;
	const attachments = (params.attachments ?? []).map(({ name, sha256 }) => [name, sha256]);
	const where = [routing.executionTarget, routing.providerId ?? null, routing.model ?? null];
	const input = [prompt, workspaceContext, where, attachments, contractKey(artifactContractOf(params))];
	return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}

/** The turn's artifact contract; one that was not sent requires nothing. */
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
