import { expect, it } from "vitest";
import { startApp } from "../../support/app/started-app.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";

it("ends in order, and its bridge with it, though nobody reads what it says", async () => {
	await using home = await temporaryHome();
	await using app = await startApp(home);
	app.command.deafen();
	app.command.kill("SIGTERM");
	const { code } = await app.command.ended;
	expect(code).toBe(0);
	// Disposing of it checks that nothing is left of its home.
});
