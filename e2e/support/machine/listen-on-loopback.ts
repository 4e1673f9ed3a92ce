import type { AddressInfo, Server } from "node:net";

/** Listens on a port of 127.0.0.1 that the system chooses, and gives the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once("error", reject);
	server.listen(0, "127.0.0.1", resolve);
	await promise;
	return (server.address() as AddressInfo).port;
}
