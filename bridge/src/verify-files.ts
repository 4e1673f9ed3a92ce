import { createHash } from "node:crypto";
import { constants, lstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, ArtifactPath, artifactsDigest, type RunId } from "@xworkmate/contracts";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import type { StoreToVerify } from "./store/sqlite/file/open-to-verify.ts";
import { pages } from "./verify-logs.ts";

const PAGE = 200;
const CHUNK_BYTES = 256 * 1024;

interface Found {
	readonly problem: (message: string) => void;
	/** Called often, with the number of bytes read so far. */
	readonly read: (bytes: number) => void;
}

export interface VerifiedFiles {
	readonly files: number;
	readonly bytes: number;
}

/**
 * Reads every file that the artifact store should still have and compares it with its record, and compares each run's list of files with
 * its result, if the result has files.
 */
export async function verifyFiles(store: StoreToVerify, root: string, { problem, read }: Found): Promise<VerifiedFiles> {
	let files = 0;
	let bytes = 0;
	for (const { row, id } of pages((after) => store.runsAfter(after, PAGE))) {
		const end = store.runEnd(row);
		const sealed = end?.sealed ?? undefined;
		if (end === undefined || sealed === undefined || sealed.count === 0) continue;
		const listed: Pick<Artifact, "sha256" | "relativePath">[] = [];
		const wrong: string[] = [];
		for (let page = store.filesOf(row, "", PAGE); page.length > 0; page = store.filesOf(row, page.at(-1)?.relativePath ?? "", PAGE)) {
			for (const artifact of page) {
				listed.push({ sha256: artifact.sha256, relativePath: artifact.relativePath });
				if (!end.isKept) continue;
				const path = pathOf(root, id, artifact);
				const said = await wrongWith(path, artifact, (size) => read(bytes + size));
				if (said !== undefined) wrong.push(`${artifact.relativePath} of run ${id} ${said}: ${path}`);
				files += 1;
				bytes += artifact.sizeBytes;
				read(bytes);
			}
		}
		if (listed.length !== sealed.count || artifactsDigest(listed) !== sealed.digest)
			wrong.unshift(`The file list of run ${id} has changed since the run ended.`);
		// The file may have been removed in the meantime, along with the run's thread or because of the age or size limit.
		const now = wrong.length === 0 ? end : store.runEnd(row);
		if (now?.isKept === end.isKept) for (const said of wrong) problem(said);
	}
	return { files, bytes };
}

function pathOf(root: string, runId: RunId, { relativePath }: Artifact): string {
	return join(root, runId, ArtifactPath.safeParse(relativePath).success ? relativePath : "");
}

/**
 * What is wrong with a file, as the rest of a sentence; undefined if the file has the recorded bytes. Links are not followed, and anything
 * but a file is not opened.
 */
async function wrongWith(path: string, { sizeBytes, sha256 }: Artifact, read: (bytes: number) => void): Promise<string | undefined> {
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		if (stats === undefined) return "is missing";
		if (!stats.isFile() || stats.size !== sizeBytes) return "is not the file that the run delivered";
		return (await hashOf(path, read)) === sha256 ? undefined : "is not the file that the run delivered";
	} catch (error) {
		const code = systemErrorCode(error);
		if (code === undefined) throw error;
		return isGoneCode(code) ? "is missing" : `can't be read (${code})`;
	}
}

async function hashOf(path: string, read: (bytes: number) => void): Promise<string> {
	const hash = createHash("sha256");
	const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
		for (let total = 0; ; ) {
			const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
			if (bytesRead === 0) return hash.digest("hex");
			hash.update(buffer.subarray(0, bytesRead));
			total += bytesRead;
			read(total);
		}
	} finally {
		await handle.close();
	}
}
