import { FolderOpen } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { formatBytes } from "../text/format.ts";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** Where files are saved, and how large attachments may be. */
export function StorageSettings() {
	const { capabilities } = useApp().app.bridge;
	const { answer, problem } = useSettings();
	if (answer === undefined) return <p className="muted">{problem ?? words.page.loading}</p>;
	return (
		<>
			<SettingRows
				settings={[
					{ name: settingsPageWords.home, value: answer.home, code: true, variable: "XWORKMATE_HOME" },
					{ name: settingsPageWords.threads, value: answer.threadsFolder, code: true },
					{ name: settingsPageWords.log, value: answer.logFile, code: true },
				]}
				set={answer.set}
			/>
			<p>
				<button type="button" className="btn" onClick={() => void attempt(() => callApp("openDataFolder", {}))}>
					<Icon of={FolderOpen} />
					{settingsPageWords.openHome}
				</button>
			</p>
			{capabilities !== undefined && (
				<Block title={settingsPageWords.limits}>
					<SettingRows
						settings={[
							{ name: settingsPageWords.perFile, value: formatBytes(capabilities.limits.attachmentBytes) },
							{ name: settingsPageWords.perMessage, value: formatBytes(capabilities.limits.attachmentsBytes) },
						]}
					/>
				</Block>
			)}
		</>
	);
}
