import type { Readable } from "node:stream";
import { type ByteRange, PlanId, parseRange, RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { create as disposition } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ExportFormat } from "../../api/export-piece.ts";
import type { ArchiveCheck } from "../../api/ui-routes.ts";
import { AppError } from "../../errors/app-error.ts";
import type { ExportedThread } from "../../export/thread-export.ts";
import type { ArchivedFiles } from "../../files/archived-files.ts";
import { exactBytes } from "../../files/exact-bytes.ts";
import type { OpenedFile } from "../../files/open-plain-file.ts";
import { pipeTar, pipeZip } from "./archive.ts";
import { servedType } from "./served-type.ts";

/** Provides what is downloaded: runs' files and logs, archives, exported threads, and receipts. */
export interface FileSource {
	/**
	 * The caller closes the returned file.
	 * @throws AppError FILE_NOT_FOUND, FILE_BLOCKED, THREAD_NOT_FOUND, or as ArtifactSource
	 */
	openFile(threadId: ThreadId, runId: RunId, relativePath: string, kept?: string): Promise<OpenedFile>;
	/**
	 * What the archive of a run, or of the thread, would contain, and what would be missing.
	 * @throws AppError THREAD_NOT_FOUND, FILE_NOT_FOUND
	 */
	archive(threadId: ThreadId, runId?: RunId): Promise<ArchivedFiles>;
	/**
	 * A turn's log, as pieces of one JSON document.
	 * @throws AppError TURN_NOT_FOUND
	 */
	exportRunLog(threadId: ThreadId, turnId: TurnId): Readable;
	/**
	 * A thread with its files.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	exportThread(threadId: ThreadId, format: ExportFormat): Promise<ExportedThread>;
	/**
	 * The receipts of a run, of a plan, or all receipts, with the signed ledger, as the bridge streams them.
	 * @throws as ArtifactSource
	 */
	exportReceipts(of: ReceiptsOf, signal: AbortSignal): Promise<Readable>;
}

const FileParams = z.object({ threadId: ThreadId, runId: RunId, "*": z.string() });
const FileQuery = z.object({
	download: z.literal("1").optional(),
	kept: z
		.string()
		.regex(/^[0-9a-f]{8,64}$/)
		.optional(),
});
const ArchiveParams = z.object({ threadId: ThreadId, runId: RunId, format: z.enum(["zip", "tar"]) });
const ThreadParams = ArchiveParams.omit({ runId: true });
const ArchiveQuery = z.object({ check: z.literal("1").optional(), partial: z.literal("1").optional() });
const ReceiptQuery = z.object({ runId: RunId.exactOptional(), planId: PlanId.exactOptional() });
type ReceiptsOf = z.infer<typeof ReceiptQuery>;
const ExportParams = z.object({ threadId: ThreadId, format: ExportFormat });
const LogParams = z.object({ threadId: ThreadId, turnId: TurnId });

/** Serves files of runs with Range support, their archives, receipts, exported threads, and run logs. */
export function addFileRoutes(server: FastifyInstance, files: FileSource): void {
	server.get("/files/:threadId/:runId/*", async (request, reply) => {
		const { threadId, runId, "*": path } = FileParams.parse(request.params);
		const { download, kept } = FileQuery.parse(request.query);
		const file = await files.openFile(threadId, runId, path, kept);
		return sendFile(request, reply, file, { path, download: download !== undefined });
	});
	server.get("/archives/:threadId/:runId.:format(zip|tar)", async (request, reply) => {
		const { threadId, runId, format } = ArchiveParams.parse(request.params);
		return sendArchive(request, reply, files, { threadId, format, listed: await files.archive(threadId, runId) });
	});
	server.get("/archives/:threadId/all.:format(zip|tar)", async (request, reply) => {
		const { threadId, format } = ThreadParams.parse(request.params);
		return sendArchive(request, reply, files, { threadId, format, listed: await files.archive(threadId) });
	});
	server.get("/receipts.ndjson", async (request, reply) => {
		const of = ReceiptQuery.parse(request.query);
		const id = of.planId ?? of.runId;
		const stop = new AbortController();
		reply.raw.once("close", () => stop.abort());
		const receipts = await files.exportReceipts(of, stop.signal);
		reply.header("content-disposition", disposition(`receipts${id === undefined ? "" : `-${id}`}.ndjson`));
		return reply.type("application/x-ndjson").send(receipts);
	});
	server.get("/exports/:threadId.:format(md|zip)", async (request, reply) => {
		const { threadId, format } = ExportParams.parse(request.params);
		const { name, body } = await files.exportThread(threadId, format);
		reply.header("content-disposition", disposition(name));
		return reply.type(format === "zip" ? "application/zip" : "text/markdown; charset=utf-8").send(body);
	});
	server.get("/runlogs/:threadId/:turnId.json", (request, reply) => {
		const { threadId, turnId } = LogParams.parse(request.params);
		const log = files.exportRunLog(threadId, turnId);
		reply.header("content-disposition", disposition(`${turnId}.json`));
		return reply.type("application/json; charset=utf-8").send(log);
	});
}

interface Archive {
	readonly threadId: ThreadId;
	readonly format: "zip" | "tar";
	readonly listed: ArchivedFiles;
}

function sendArchive(
	request: FastifyRequest,
	reply: FastifyReply,
	source: FileSource,
	{ threadId, format, listed }: Archive,
): FastifyReply {
	const { files, lacking, name } = listed;
	const { check, partial } = ArchiveQuery.parse(request.query);
	if (check !== undefined) return reply.send({ files: files.length, lacking } satisfies ArchiveCheck);
	if (files.length === 0 || (lacking.length > 0 && partial === undefined)) throw lackingFiles(lacking);
	const entries = files.map(({ runId, path }) => ({ path, open: () => source.openFile(threadId, runId, path) }));
	reply.header("content-disposition", disposition(`${name}.${format}`));
	const pipe = format === "zip" ? pipeZip : pipeTar;
	return reply.type(format === "zip" ? "application/zip" : "application/x-tar").send(pipe(entries));
}

/** An archive from which files are missing is served only if the request allows it. */
function lackingFiles(lacking: ArchiveCheck["lacking"]): AppError {
	const names = lacking.slice(0, 10).map(({ path }) => path);
	const more = lacking.length > names.length ? ` and ${lacking.length - names.length} more` : "";
	return new AppError(
		"FILE_NOT_FOUND",
		`Some files can't be downloaded now: ${names.join(", ")}${more}.`,
		"Try again later, or download any other files from the thread's page.",
	);
}

interface Use {
	readonly path: string;
	readonly download: boolean;
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenedFile, { path, download }: Use): Promise<FastifyReply> {
	const { sizeBytes, etag } = file;
	const { type, policy, inline } = servedType(path);
	const name = path.split("/").at(-1) ?? "file";
	reply.headers({
		"content-disposition": disposition(name, { type: inline && !download ? "inline" : "attachment" }),
		"content-security-policy": policy,
		"accept-ranges": "bytes",
		"cache-control": "private, no-cache",
		etag,
	});
	if (request.headers["if-none-match"] === etag) {
		await file.close();
		return reply.code(304).send();
	}
	const range = rangeOf(request, file);
	if (range === "unsatisfiable") {
		await file.close();
		reply.removeHeader("content-disposition").removeHeader("etag");
		reply.code(416).header("content-range", `bytes */${sizeBytes}`);
		return reply.send({ error: { code: "RANGE_NOT_SATISFIABLE", message: `The file is ${sizeBytes} bytes long.` } });
	}
	const { start, end } = range ?? { start: 0, end: sizeBytes };
	if (range !== undefined) reply.code(206).header("content-range", `bytes ${start}-${end - 1}/${sizeBytes}`);
	reply.type(type).header("content-length", end - start);
	return reply.send(exactBytes(file.read(start, end - 1), end - start));
}

function rangeOf({ headers }: FastifyRequest, { sizeBytes, etag }: OpenedFile): ByteRange | "unsatisfiable" | undefined {
	if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return undefined;
	return parseRange(headers.range, sizeBytes);
}
