import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { AppHomeInUse } from "../../src/app-error.ts";
import { ownAppHome } from "../../src/threads/index.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const owner = `
	import { ownAppHome } from ${JSON.stringify(new URL("../../src/threads/app-home.ts", import.meta.url).href)};
	globalThis.kept = ownAppHome(process.argv[1]);
	console.log("owned");
	setInterval(() => undefined, 1000);
`;

it("one process owns the home; a killed one leaves it free", async () => {
	using home = temporaryHome();
	const child = spawn(process.execPath, ["--input-type=module", "-e", owner, home.path], { stdio: ["ignore", "pipe", "inherit"] });
	try {
		await once(createInterface({ input: child.stdout }), "line");
		expect(() => ownAppHome(home.path)).toThrow(AppHomeInUse);
		expect(() => ownAppHome(home.path)).toThrow(expect.objectContaining({ code: "APP_HOME_IN_USE" }));
		const exited = once(child, "exit");
		child.kill("SIGKILL");
		await exited;
		using owned = ownAppHome(home.path);
		expect(statSync(owned.appFolder).mode & 0o777).toBe(0o700);
		expect(() => ownAppHome(home.path)).toThrow(AppHomeInUse);
	} finally {
		child.kill("SIGKILL");
	}
	ownAppHome(home.path)[Symbol.dispose]();
});
