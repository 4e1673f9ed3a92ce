import type { SettingDigests } from "../../config/setting-digests.ts";
import type { AppCore } from "../../core/index.ts";
import { UiSessions } from "../../server/access/ui-sessions.ts";
import type { UiParts } from "../../server/create-app-server.ts";

/** What the server needs of a core to serve windows. `assets` is the built page's folder, absolute. */
export function windowParts(core: AppCore, assets: string, startedWith: SettingDigests, now?: () => number): UiParts {
	const { files, runLogs } = core.ui;
	return {
		...{ api: core.ui, assets, startedWith, sessions: new UiSessions(core.sessions, now) },
		files: {
			openFile: (threadId, runId, path, kept) => files.open(threadId, runId, path, kept),
			archive: (threadId, runId) => files.archive(threadId, runId),
			exportRunLog: (threadId, turnId) => runLogs.export(threadId, turnId),
		},
	};
}
