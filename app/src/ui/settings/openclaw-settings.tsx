import { doctorWords } from "../../strings/settings/doctor-words.ts";
import { awayLead, gatewayOf } from "../doctor/doctor-view.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { GatewayBlock } from "./gateway-block.tsx";

/** The OpenClaw gateway: whether it is connected, as the bridge reports it or, while the bridge is away, as it last did. */
export function OpenClawSettings() {
	const { app } = useApp();
	const isKnown = gatewayOf(useProviders()) !== undefined;
	const lead = isKnown ? awayLead(app.bridge) : undefined;
	return (
		<>
			{lead !== undefined && <p className="soft">{lead}</p>}
			<GatewayBlock title={doctorWords.gateway} />
		</>
	);
}
