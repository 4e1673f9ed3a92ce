import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { type Extract, extract } from "tar-stream";
import type { BareClient } from "./bare-client.ts";
import { ManifestFile, type TaskSnapshot } from "./wire.ts";

export interface ServedFile {
	readonly path: string;
	readonly sha256: string;
	readonly sizeBytes: number;
}

export interface ServedRun {
	readonly manifest: ReturnType<typeof ManifestFile.parse>;
	readonly files: readonly ServedFile[];
}

export function sha256Of(bytes: Buffer | string): string {
	return createHash("sha256").update(bytes).digest("hex");
}

/** sha256 over `<sha256>  <relativePath>\n` in byte order, as `sha256sum | LC_ALL=C sort | sha256sum` would print. */
function digestOf(files: readonly { readonly path: string; readonly sha256: string }[]): string {
	const lines = files.map(({ path, sha256 }) => Buffer.from(`${sha256}  ${path}\n`)).sort(Buffer.compare);
	return sha256Of(Buffer.concat(lines));
}

/** Downloads `GET /artifacts/{runId}` and hashes every entry on the way. */
export async function downloadTar(client: BareClient, runId: string): Promise<ServedRun> {
	const response = await client.respond({ path: `/artifacts/${runId}` });
	if (response.statusCode !== 200) throw new Error(`the tar of ${runId} was answered with ${response.statusCode}`);
	if (response.headers["content-type"] !== "application/x-tar") throw new Error(`the tar came as ${response.headers["content-type"]}`);
	const entries = extract();
	const [served] = await Promise.all([readEntries(entries), pipeline(response, entries)]);
	return served;
}

async function readEntries(entries: Extract): Promise<ServedRun> {
	const files: ServedFile[] = [];
	let manifest: ServedRun["manifest"] | undefined;
	for await (const entry of entries) {
		const hash = createHash("sha256");
		const chunks: Buffer[] = [];
		let sizeBytes = 0;
		for await (const chunk of entry) {
			if (!Buffer.isBuffer(chunk)) throw new Error("a tar entry that is not bytes");
			hash.update(chunk);
			sizeBytes += chunk.length;
			if (manifest === undefined) chunks.push(chunk);
		}
		if (manifest === undefined) {
			if (entry.header.name !== ".xworkmate/manifest.json") throw new Error(`the tar begins with ${entry.header.name}`);
			manifest = ManifestFile.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
		} else {
			files.push({ path: entry.header.name, sha256: hash.digest("hex"), sizeBytes });
		}
	}
	if (manifest === undefined) throw new Error("the tar has no manifest");
	return { manifest, files };
}

/** Fails unless manifest, snapshot and every served byte agree. */
export async function expectServedBytes(client: BareClient, snapshot: TaskSnapshot): Promise<ServedRun> {
	const served = await downloadTar(client, snapshot.runId);
	const { manifest, files } = served;
	const problems: string[] = [];
	if (manifest.runId !== snapshot.runId || manifest.artifactScope !== snapshot.artifactScope)
		problems.push("the manifest is another run's");
	for (const key of ["count", "totalBytes", "digest"] as const) {
		if (manifest[key] !== snapshot.artifacts[key]) problems.push(`${key}: manifest ${manifest[key]}, snapshot ${snapshot.artifacts[key]}`);
	}
	if (digestOf(files) !== manifest.digest) problems.push("the digest of the bytes is not the manifest's");
	if (files.length !== manifest.items.length || manifest.count !== manifest.items.length) problems.push("counts differ");
	for (const [index, item] of manifest.items.entries()) {
		const file = files[index];
		if (file?.path !== item.relativePath || file.sha256 !== item.sha256 || file.sizeBytes !== item.sizeBytes) {
			problems.push(`${item.relativePath} was served as ${JSON.stringify(file)}`);
		}
	}
	if (problems.length > 0) throw new Error(`run ${snapshot.runId}: ${problems.slice(0, 5).join("; ")}`);
	return served;
}
