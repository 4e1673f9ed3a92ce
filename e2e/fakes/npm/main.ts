/**
 * A registry of npm on 127.0.0.1, for tests. Prints `{"url": ...}` once it is listening; ends on SIGTERM or when its standard input closes. It
 * serves what was published to it:
 *
 *   POST /__fake/publish    {name, version, files, bin?, scripts?, dependencies?}: a package, its files as texts by path
 *   POST /__fake/fault      {name, kind} or {} to end it: `altered`, other bytes than the ones described; `no-hash`, described without one;
 *                           `hang`, never answers; `refuse`, 403
 *   GET  /__fake/requests   paths that were asked for
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { stdin } from "node:process";
import { z } from "zod";
import { type Package, Registry } from "./registry.ts";

const Published = z.strictObject({
	name: z.string(),
	version: z.string(),
	files: z.record(z.string(), z.string()),
	bin: z.record(z.string(), z.string()).optional(),
	scripts: z.record(z.string(), z.string()).optional(),
	dependencies: z.record(z.string(), z.string()).optional(),
});
const Fault = z.strictObject({ name: z.string().optional(), kind: z.enum(["altered", "no-hash", "hang", "refuse"]).optional() });

const registry = new Registry();
const requests: string[] = [];
let fault: z.infer<typeof Fault> = {};

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { pathname, origin } = new URL(request.url ?? "/", `http://${request.headers.host}`);
	const path = decodeURIComponent(pathname);
	const json = (status: number, value: unknown) =>
		void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
	if (path === "/__fake/publish") {
		const published: Package = Published.parse(JSON.parse(await textOf(request)));
		return json(201, { integrity: await registry.publish(published) });
	}
	if (path === "/__fake/fault") {
		fault = Fault.parse(JSON.parse(await textOf(request)));
		return json(200, {});
	}
	if (path === "/__fake/requests") return json(200, requests);
	requests.push(path);
	const kind = fault.name !== undefined && path.startsWith(`/${fault.name}`) ? fault.kind : undefined;
	// It is answered never: whoever asks has to give up by itself.
	if (kind === "hang") return;
	if (kind === "refuse") return json(403, { error: "forbidden" });
	const bytes = registry.tarball(path.slice(1));
	if (bytes !== undefined) return void response.writeHead(200).end(kind === "altered" ? await registry.altered(path.slice(1)) : bytes);
	const description = registry.describe(path.slice(1), origin, kind !== "no-hash");
	return description === undefined ? json(404, { error: "not_found" }) : json(200, description);
}

async function textOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part);
	return Buffer.concat(parts).toString("utf8");
}

const server = createServer((request, response) => {
	serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	if (address !== null && typeof address === "object") console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});
const end = () => {
	server.close();
	server.closeAllConnections();
	stdin.destroy();
};
stdin.on("end", end).resume();
process.once("SIGTERM", end);
