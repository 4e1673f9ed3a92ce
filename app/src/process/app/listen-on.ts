import type { Endpoint } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";
import type { AppSettings } from "../../config/settings.ts";
import { AppError } from "../../errors/app-error.ts";

const ANY_PORT = 0;

/** Where an app listens. `start` needs the configured address; a command alone serves no page, so any port will do. */
export type ListenOn = "configured" | "configured or any" | "any";

/**
 * `last`: the address of the app before, at which its pages and clients look for this one. It is preferred wherever any port is allowed.
 * @throws AppError PORT_IN_USE
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
		throw portInUse({ host, port }, cause);
	}
}

function portsToTry(port: number, where: ListenOn, last: Endpoint | undefined): readonly [number, ...number[]] {
	if (where === "any") return [ANY_PORT];
	const lastPort = last === undefined ? ANY_PORT : Number(new URL(last.url).port);
	if (port === ANY_PORT) return [lastPort, ANY_PORT];
	return where === "configured" ? [port] : [port, lastPort, ANY_PORT];
}

export function portInUse({ host, port }: AppSettings["listen"], cause?: unknown): AppError {
	return new AppError(
		"PORT_IN_USE",
		`The app can't listen on ${host}:${port} because another program uses it.`,
		"Set XWORKMATE_APP_LISTEN to a free address, or to 127.0.0.1:0 to use any free port.",
		cause,
	);
}
