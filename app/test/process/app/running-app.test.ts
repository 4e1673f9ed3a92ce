import { existsSync, realpathSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appEndpointFile, findRunningApp, forgetOthersApp } from "../../../src/process/app/running-app.ts";
import { writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { createAppToken } from "../../../src/server/access/app-token.ts";
import { ownAppHome } from "../../../src/store/app-home.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** A home with the address of an app that answers, and that says it is of this home. */
async function scene(of?: (home: string) => string) {
	const home = temporaryHome();
	const said = { pid: process.pid, ...(of && { home: of(home.path) }) };
	const server = createServer((_, response) => void response.end(JSON.stringify({ result: said })));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const owned = ownAppHome(home.path);
	createAppToken(home.path);
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const file = appEndpointFile(home.path);
	writeEndpoint(file, { url, pid: process.pid, startedAt: new Date(0).toISOString() });
	return {
		...{ path: home.path, owned },
		isFound: async () => (await findRunningApp(home.path)) !== undefined,
		isForgotten: async () => {
			await forgetOthersApp(home.path);
			return !existsSync(file);
		},
		[Symbol.dispose]: () => {
			owned[Symbol.dispose]();
			server.closeAllConnections();
			server.close();
			home[Symbol.dispose]();
		},
	};
}

it("the app of another home is not that of a copy, also while the copy's own app starts, and its address is forgotten then", async () => {
	using other = temporaryHome();
	using copy = await scene(() => realpathSync(other.path));
	expect(await copy.isFound()).toBe(false);
	expect(await copy.isForgotten()).toBe(true);
});

it("an app is found by any path of its home, and its address is kept", async () => {
	using here = await scene((home) => {
		symlinkSync(home, join(home, "itself"));
		return join(home, "itself");
	});
	expect(await here.isFound()).toBe(true);
	expect(await here.isForgotten()).toBe(false);
});

it("an app that does not name its home is found while something owns the home", async () => {
	using here = await scene();
	expect(await here.isFound()).toBe(true);
	expect(await here.isForgotten()).toBe(false);
	here.owned[Symbol.dispose]();
	expect(await here.isFound()).toBe(false);
});
