import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { openConnection } from "../../src/operator/discord/discord-connection.ts";

it("says that a limit is over when Discord accepts a request, whichever it is", async () => {
	let asked = 0;
	const server = createServer((_request, response) => {
		asked += 1;
		const isLimited = asked === 1;
		response.writeHead(isLimited ? 429 : 200, { "content-type": "application/json", ...(isLimited && { "retry-after": "0.01" }) });
		response.end(JSON.stringify(isLimited ? { message: "Wait.", retry_after: 0.01, global: false } : { id: "400" }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const happened: string[] = [];
	const ignored = () => undefined;
	await using connection = openConnection("token", `http://127.0.0.1:${port}`, {
		...{ ready: ignored, resumed: ignored, lost: ignored, broken: ignored, refused: ignored, dispatched: ignored },
		slowed: () => void happened.push("slowed"),
		accepted: () => void happened.push("accepted"),
	});
	try {
		expect(await connection.direct("200")).toBe("400");
		expect(happened).toEqual(["slowed", "accepted"]);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});
