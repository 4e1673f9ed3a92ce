import type { ServerResponse } from "node:http";
import type { ScopeTree } from "@xworkmate/platform/scope-tree";
import type { SealedScope } from "../export/sealed-scope.ts";
import { BufferPair } from "./buffer-pair.ts";
import { openSealed, sendWhole } from "./sealed-bytes.ts";
import { TAR_END, tarHeader, tarPadding } from "./tar-header.ts";

/**
 * Sends every file of a sealed scope as one tar.
 * @throws PluginError ARTIFACT_CHANGED, ReaderGoneError
 */
export async function sendTar(response: ServerResponse, tree: ScopeTree, { items }: SealedScope): Promise<void> {
	const out = new BufferPair(response);
	for (const file of items) {
		using bytes = openSealed(tree, file);
		await out.append(await tarHeader(file.relativePath, file.sizeBytes, file.modifiedAt));
		await sendWhole(bytes, out);
		await out.append(tarPadding(file.sizeBytes));
	}
	await out.append(TAR_END);
	await out.end();
}
