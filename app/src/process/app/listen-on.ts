import type { Endpoint } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { addressText } from "@xworkmate/platform/listen-address";
import type { FastifyInstance } from "fastify";
import type { AppSettings } from "../../config/settings.ts";
import { AppError } from "../../errors/app-error.ts";

const ANY_PORT = 0;

/**
 * Where an app listens. `start` needs the configured address; an app in the background takes another port if that one is in use; a command
 * alone serves no page, so any port will do.
 */
export type ListenOn = "configured" | "configured or any" | "any";

/**
 * `last`: the address of the previous app, where its pages and clients look for this one. Its port is tried before
 * a random one, except with `any`.
 * @throws AppError PORT_IN_USE, ADDRESS_REFUSED
 */
export async function listenOn(
	app: FastifyInstance,
	{ listen: { host, port } }: Pick<AppSettings, "listen">,
	where: ListenOn,
	last: Endpoint | undefined,
): Promise<string> {
	const [first, ...others] = portsToTry(port, where, last);
	try {
		return await app.listen({ host, port: first });
	} catch (cause) {
		for (const other of others) {
			const url = await app.listen({ host, port: other }).catch(() => undefined);
			if (url !== undefined) return url;
		}
		throw listenProblem({ host, port }, systemErrorCode(cause), cause);
	}
}

function portsToTry(port: number, where: ListenOn, last: Endpoint | undefined): readonly [number, ...number[]] {
	if (where === "any") return [ANY_PORT];
	const lastPort = last === undefined ? ANY_PORT : Number(new URL(last.url).port);
	if (port === ANY_PORT) return [lastPort, ANY_PORT];
	return where === "configured" ? [port] : [port, lastPort, ANY_PORT];
}

const reasons: Readonly<Record<string, string>> = {
	EACCES: "permission was denied",
	EADDRINUSE: "another program is using it",
	EADDRNOTAVAIL: "this computer has no such address",
};

/** `code`: the error code with which the system refused to listen. */
export function listenProblem(listen: AppSettings["listen"], code = "UNKNOWN", cause?: unknown): AppError {
	return new AppError(
		code === "EADDRINUSE" ? "PORT_IN_USE" : "ADDRESS_REFUSED",
		`The app can't listen on ${addressText(listen)} because ${reasons[code] ?? `the system refused it (${code})`}.`,
		"Set XWORKMATE_APP_LISTEN to another address, or to 127.0.0.1:0 to use any free port.",
		cause,
	);
}
