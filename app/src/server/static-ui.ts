import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { commandLine } from "../text/command-line.ts";

const YEAR_S = 31_536_000;
const NOT_BUILT = `The page has not been built yet. It will open here once it is ready. If nothing is building it, run: ${commandLine("start")}\n`;

/**
 * Serves the built page. `/` and every address without a file extension get index.html; other addresses are the page's files. `assets` is
 * absolute. The page may be built after the server has started.
 */
export function addStaticUi(server: FastifyInstance, assets: string): void {
	server.register(async (scope) => {
		await scope.register(fastifyStatic, {
			...{ root: assets, serve: false, index: false, dotfiles: "deny", cacheControl: false },
			setHeaders: (response, path) => {
				// Names under assets/ contain a hash of the file's content.
				const lasting = path.startsWith(`${assets}/assets/`) ? `public, max-age=${YEAR_S}, immutable` : "no-cache";
				response.header("cache-control", lasting);
			},
		});
		scope.get("/*", { config: { shell: true } }, (request, reply) => reply.sendFile(isPage(request) ? "index.html" : pathOf(request)));
	});
	server.setNotFoundHandler((request, reply) => {
		// If a link is opened while the first start is still building the page, the page loads as soon as it is ready.
		if (request.method === "GET" && isPage(request)) {
			return reply.code(503).header("refresh", "2").type("text/plain; charset=utf-8").send(NOT_BUILT);
		}
		return sendNotFound(reply);
	});
}

export function sendNotFound(reply: FastifyReply): FastifyReply {
	return reply.code(404).send({ error: { code: "NOT_FOUND", message: "There is nothing at this address." } });
}

/** The path without its leading slash and the query, still percent-encoded. */
function pathOf(request: FastifyRequest): string {
	return (request.url.split("?", 1)[0] ?? "").slice(1);
}

/** The server's own addresses are not pages, nor is anything that looks like a file. */
function isPage(request: FastifyRequest): boolean {
	const path = pathOf(request);
	return !/^(?:api|files|archives|exports|runlogs|open)(?:\/|$)/.test(path) && !path.slice(path.lastIndexOf("/") + 1).includes(".");
}
