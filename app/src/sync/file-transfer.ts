import type { Artifact, Snapshot } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import type { ArtifactSource } from "../bridge-client/artifact-download.ts";
import { BridgeTransportError } from "../bridge-client/wire/bridge-errors.ts";
import type { SavedBefore } from "../files/missing-files.ts";
import { BatchWriter } from "./batch-writer.ts";
import { checkedManifest, listInSnapshot } from "./checked-manifest.ts";
import type { FileResult, SyncDisk } from "./disk/sync-disk.ts";
import { FileProblem, type SyncProblem, type SyncProblemCode } from "./disk/sync-problem.ts";
import { receiveFiles } from "./receive-files.ts";
import { receiveTar, type TarPlan } from "./receive-tar.ts";

/** Up to this many missing files are fetched individually. If there are more, or the list is not known yet, a tar stream is fetched. */
const FEW_FILES = 32;

/** Problems that the disk reports for a file and that another transfer may solve. The others concern the disk itself, or are final. */
const worthAnother: ReadonlySet<SyncProblemCode> = new Set(["WRONG_SIZE", "WRONG_HASH"]);

interface TransferOptions {
	readonly disk: SyncDisk;
	readonly source: ArtifactSource;
	readonly snapshot: Snapshot;
	/** The only files to transfer; the run's other files are left as they are. */
	readonly only?: ReadonlySet<string>;
	readonly before?: SavedBefore;
	readonly replaceEdits?: boolean;
	readonly signal: AbortSignal;
}

/** Transfers a run's files to the staging area, in as many attempts as the caller makes, and then moves them to their places. */
export class FileTransfer {
	readonly #options: TransferOptions;
	readonly #problems = new Map<string, SyncProblem>();
	readonly #there = new Set<number>();
	readonly #staged = new Set<number>();
	readonly #blocked = new Set<number>();
	#items: readonly Artifact[] | undefined;
	/** True if further attempts cannot help: the list is refused, the disk is full, or the bridge refuses. */
	#hopeless = false;

	constructor(options: TransferOptions) {
		this.#options = options;
	}

	get finished(): boolean {
		return this.#hopeless || (this.#items !== undefined && this.#missing().length === 0);
	}

	/** Fetches the missing files. Failures are recorded as problems. */
	async attempt(): Promise<void> {
		try {
			if (this.#items === undefined) {
				const listed = listInSnapshot(this.#options.snapshot);
				if (listed !== undefined) await this.#begin(listed);
			}
			if (!this.finished) await this.#fetch();
		} catch (error) {
			this.#note(error);
		}
	}

	/**
	 * Publishes the staged files. Returns why files are not in the folder, how many are, and the paths that have been saved, now or before.
	 * If the list of files is not known, only the paths that were saved before are returned.
	 */
	async publish(): Promise<{ readonly paths: readonly string[]; readonly there: number; readonly problems: readonly SyncProblem[] }> {
		const { before = { paths: [], there: new Set() } } = this.#options;
		const { published, problems } = this.#staged.size > 0 ? await this.#options.disk.publish() : { published: [], problems: [] };
		for (const file of published) this.#there.add(file);
		this.#takeProblems(problems);
		const items = this.#items;
		if (items === undefined) {
			// Without the list, it isn't known which existing files would be replaced.
			const there = this.#options.replaceEdits ? 0 : before.there.size;
			return { paths: before.paths, there, problems: [...this.#problems.values()] };
		}
		for (const file of this.#there) this.#problems.delete(this.#at(file).relativePath);
		const saved = new Set(before.paths);
		const paths = items.map((item) => item.relativePath).filter((path, file) => this.#there.has(file) || saved.has(path));
		return { paths, there: this.#there.size, problems: [...this.#problems.values()] };
	}

	async #begin(all: readonly Artifact[]): Promise<void> {
		const { only, before, replaceEdits } = this.#options;
		const leave = replaceEdits ? undefined : before?.there;
		const items = only === undefined ? all : all.filter(({ relativePath }) => only.has(relativePath));
		const { published, problems } = await this.#options.disk.begin(
			items.map(({ relativePath, sizeBytes, sha256 }) => ({ relativePath, sizeBytes, sha256 })),
		);
		this.#items = items;
		for (const file of published) this.#there.add(file);
		for (const [file, { relativePath }] of items.entries()) if (leave?.has(relativePath)) this.#there.add(file);
		this.#takeProblems(problems);
	}

	async #fetch(): Promise<void> {
		const writer = new BatchWriter(this.#options.disk);
		try {
			const missing = this.#items === undefined ? undefined : this.#missing();
			if (missing !== undefined && missing.length <= FEW_FILES) await this.#fetchFiles(missing, writer);
			else await this.#fetchTar(writer);
		} finally {
			const { staged, problems } = await writer.finish();
			for (const file of staged) this.#staged.add(file);
			this.#takeProblems(problems);
			this.#hopeless ||= writer.diskFull;
		}
		for (const file of this.#missing()) {
			const { relativePath: path } = this.#at(file);
			if (!this.#problems.has(path)) this.#keep(path, { code: "NOT_DELIVERED", message: "the bridge did not send it", path });
		}
	}

	async #fetchFiles(missing: readonly number[], writer: BatchWriter): Promise<void> {
		const { source, snapshot, signal } = this.#options;
		const files = missing.map((file) => [file, this.#at(file)] as const);
		const failed = await receiveFiles(files, { source, runId: snapshot.runId, writer, signal });
		for (const [file, error] of failed) this.#fileFailed(file, error);
	}

	async #fetchTar(writer: BatchWriter): Promise<void> {
		const { source, snapshot, signal } = this.#options;
		const stream = await source.openTar(snapshot.runId, signal);
		const report = (problem: SyncProblem) => this.#keep(`entry ${problem.path}`, problem);
		await receiveTar(stream, { writer, report, plan: (manifest) => this.#plan(manifest) });
	}

	async #plan(manifest: string): Promise<TarPlan> {
		const items = checkedManifest(manifest, this.#options.snapshot);
		if (this.#items === undefined) await this.#begin(items);
		const wanted = new Map(this.#missing().map((file) => [this.#at(file).relativePath, file]));
		return { wanted, known: new Set(items.map((item) => item.relativePath)) };
	}

	#missing(): readonly number[] {
		const items = this.#items ?? [];
		return [...items.keys()].filter((file) => !this.#there.has(file) && !this.#staged.has(file) && !this.#blocked.has(file));
	}

	#at(file: number): Artifact {
		const item = this.#items?.[file];
		if (item === undefined) throw new RangeError(`the manifest has no file ${file}`);
		return item;
	}

	#takeProblems(results: readonly FileResult[]): void {
		for (const { file, problem } of results) {
			this.#staged.delete(file);
			if (!worthAnother.has(problem.code)) this.#blocked.add(file);
			this.#keep(this.#at(file).relativePath, problem);
		}
	}

	#fileFailed(file: number, error: unknown): void {
		const { relativePath: path } = this.#at(file);
		const message = errorMessage(error);
		if (error instanceof BridgeTransportError && error.final) this.#blocked.add(file);
		this.#keep(path, { code: "TRANSFER_FAILED", message, path });
	}

	#note(error: unknown): void {
		const code = error instanceof FileProblem ? error.code : "TRANSFER_FAILED";
		this.#hopeless ||= code === "MANIFEST_REFUSED" || (error instanceof BridgeTransportError && error.final);
		this.#keep("", { code, message: errorMessage(error) });
	}

	#keep(key: string, problem: SyncProblem): void {
		this.#problems.set(key, problem);
	}
}
