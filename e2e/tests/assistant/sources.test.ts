import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/app/command.ts";
import { syncedFiles } from "../../support/app/thread-folder.ts";
import { expectNoProcessNaming } from "../../support/machine/live-processes.ts";
import { appSource, repositoryRoot } from "../../support/machine/programs.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { sha256Of } from "../../support/wire/served-artifacts.ts";

// The other tests start bundled programs (docs/decisions/0097). What `npm start` runs is the sources: they have to find each other, too.

it("the sources run a program in their bridge, save its file, and end with everything that they started", async () => {
	await using home = await temporaryHome();
	const program = "await tools.files.write({path:'report.md', text:'# hello'}); return 'done'";
	const { code, stdout, stderr } = await runCommand(home, ["run", "--provider", "script", program], { program: appSource });
	expect([code, stdout], stderr).toEqual([0, expect.stringContaining("done")]);
	expect(Object.values(await syncedFiles(home))).toEqual([sha256Of("# hello")]);
	await expectNoProcessNaming(home.path);
});

it("the sources check a tool and its types in processes of their own", async () => {
	await using home = await temporaryHome();
	const tool = join(repositoryRoot, "examples", "tools", "github");
	const { stdout, stderr } = await runCommand(home, ["tools", "check", tool], { program: appSource });
	expect(stdout, stderr).toMatch(/^No problems found. Tools: github\./);
});
