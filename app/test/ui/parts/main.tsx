import { createRoot } from "react-dom/client";
import "../../../src/ui/styles/index.css";
import "./parts.css";
import { applyTheme } from "../../../src/ui/state/preferences.ts";
import { InApp } from "../in-app.tsx";
import { PartsPage } from "./parts-page.tsx";

applyTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the parts");
const { wrapper: Wrapper } = new InApp();
createRoot(root).render(
	<Wrapper>
		<div className="frame">
			<div className="app no-side" data-pane="thread">
				<div className="side" />
				<PartsPage />
			</div>
		</div>
	</Wrapper>,
);
