import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/index.css";
import { AppLink } from "./client/app-link.ts";
import { App } from "./shell/app.tsx";
import { applyTheme } from "./shell/preferences.ts";
import { keepStrayDrops } from "./shell/stray-drops.ts";

applyTheme();
keepStrayDrops();
const link = new AppLink();
link.start();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the app");
createRoot(root).render(
	<StrictMode>
		<App link={link} />
	</StrictMode>,
);
