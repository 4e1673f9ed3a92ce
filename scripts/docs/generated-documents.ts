import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRpcDocument } from "../../contracts/src/index.ts";
import { readTextIfPresent } from "../read-text.ts";
import { architecturePage } from "./architecture-page.ts";
import { configSchema } from "./config-schema.ts";
import { errorsPage } from "./errors-page.ts";
import { protocolPage } from "./protocol-page.ts";
import { settingsPage } from "./settings-page.ts";

/** The documents generated from the contracts, the settings and the import rules: path from the repository's root -> text. */
export function generatedDocuments(): ReadonlyMap<string, string> {
	const document = openRpcDocument();
	return new Map([
		["docs/architecture.md", architecturePage()],
		["docs/protocol.md", protocolPage(document)],
		["docs/errors.md", errorsPage()],
		["docs/settings.md", settingsPage()],
		["docs/config.schema.json", configSchema()],
		["docs/openrpc.json", `${JSON.stringify(document, null, "\t")}\n`],
	]);
}

/** Paths whose file is missing or differs from the generated text. */
export function staleDocuments(root: string): string[] {
	return [...generatedDocuments()].filter(([path, text]) => readTextIfPresent(join(root, path)) !== text).map(([path]) => path);
}

/** Writes every generated document under `root`; returns the paths that changed. */
export function writeDocuments(root: string): string[] {
	const stale = staleDocuments(root);
	const documents = generatedDocuments();
	for (const path of stale) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), documents.get(path) ?? "");
	}
	return stale;
}
