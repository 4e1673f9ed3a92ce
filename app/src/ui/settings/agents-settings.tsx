import { providersFile } from "@xworkmate/contracts";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { words } from "../../strings/interface.ts";
import { AgentList } from "../agents/agent-list.tsx";
import { tryAll } from "../agents/provider-trials.ts";
import { Icon } from "../components/icon.tsx";
import { agentsInOrder } from "../doctor/doctor-view.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { formatLimit } from "../text/format.ts";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** The agents of this computer, each with a test, and the limit of concurrent runs. */
export function AgentsSettings() {
	const { capabilities } = useApp().app.bridge;
	const { answer } = useSettings();
	const providers = useProviders();
	const agents = agentsInOrder(providers);
	const file = providers.filter(({ providerId }) => providerId === providersFile);
	const [isTesting, setTesting] = useState(false);
	const testAll = () => {
		setTesting(true);
		void attempt(() => tryAll(agents)).finally(() => setTesting(false));
	};
	return (
		<>
			<Block
				title={words.doctor.agents}
				end={
					<button type="button" className="btn" disabled={isTesting} onClick={testAll}>
						<Icon of={RotateCcw} spin={isTesting} />
						{isTesting ? words.settings.testing : words.doctor.testAll}
					</button>
				}
			>
				<AgentList providers={agents} canTry />
				{file.length > 0 && <AgentList providers={file} />}
			</Block>
			{capabilities !== undefined && (
				<Block title={words.settings.limits}>
					<SettingRows
						settings={[
							{
								name: words.settings.activeRuns,
								value: String(capabilities.limits.maxActiveRuns),
								variable: "XWORKMATE_MAX_ACTIVE_RUNS",
							},
							{ name: words.settings.budget, value: formatLimit(capabilities.limits.runBudgetMs), variable: "XWORKMATE_RUN_BUDGET_MS" },
						]}
						set={answer?.set ?? []}
					/>
				</Block>
			)}
		</>
	);
}
