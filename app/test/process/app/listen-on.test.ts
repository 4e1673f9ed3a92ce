import { createServer } from "node:net";
import fastify from "fastify";
import { expect, it } from "vitest";
import { listenOn } from "../../../src/process/app/listen-on.ts";

it("an address that can't be used is named with the system's reason", async () => {
	const taken = createServer();
	await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
	const address = taken.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const refused = async (host: string) => {
		await using app = fastify();
		return await listenOn(app, { listen: { host, port } }, "configured", undefined).catch((error: unknown) => error);
	};
	try {
		expect(await refused("127.0.0.1")).toMatchObject({
			code: "PORT_IN_USE",
			message: `The app can't listen on 127.0.0.1:${port} because another program is using it.`,
		});
		// An address for documentation, which no computer has.
		expect(await refused("192.0.2.1")).toMatchObject({
			code: "ADDRESS_REFUSED",
			message: `The app can't listen on 192.0.2.1:${port} because this computer has no such address.`,
		});
	} finally {
		taken.close();
	}
});
