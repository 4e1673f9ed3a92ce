import { CircleAlert, CircleCheck, Info, Package } from "lucide-react";
import { doctorWords } from "../../strings/settings/doctor-words.ts";
import { AgentList } from "../agents/agent-list.tsx";
import { Icon } from "../components/icon.tsx";
import { gatewayOf, pluginState } from "../doctor/doctor-view.ts";
import { useProviders } from "../state/app-context.tsx";
import { Block } from "./settings-block.tsx";

const pluginLooks = {
	ready: { icon: CircleCheck, tone: "st-ok" },
	wrong: { icon: CircleAlert, tone: "st-bad" },
	unknown: { icon: Info, tone: "st-off" },
} as const;

/** The gateway, and the state of the plugin inside it, which is unknown while the bridge is not connected to the gateway. */
export function GatewayBlock({ title }: { readonly title: string }) {
	const gateway = gatewayOf(useProviders());
	if (gateway === undefined) return null;
	const plugin = pluginState(gateway);
	const { icon, tone } = pluginLooks[plugin];
	return (
		<Block title={title}>
			<AgentList providers={[gateway]} canTry />
			<div className="list plugin">
				<div className="item prov">
					<Icon of={Package} />
					<div className="grow">
						<div className="nm">{doctorWords.plugin}</div>
						<div className="sub">
							<span className={`st ${tone}`}>
								<Icon of={icon} />
								{doctorWords.pluginState[plugin]}
							</span>
							<span>{doctorWords.pluginSay[plugin]}</span>
						</div>
					</div>
				</div>
			</div>
		</Block>
	);
}
