// A course in two languages: Portuguese at /, French at /fr/. The calculator is a folder of the same host, /gpudget/ (README.md says how it comes there).
const config = {
  title: 'Treinar modelos de linguagem',
  url: 'https://your.site',
  baseUrl: '/',
  trailingSlash: true,
  favicon: 'icon.svg',
  onBrokenLinks: 'throw',
  i18n: {
    defaultLocale: 'pt',
    locales: ['pt', 'fr'],
    localeConfigs: { pt: { htmlLang: 'pt-BR', label: 'Português' }, fr: { htmlLang: 'fr', label: 'Français' } },
  },
  customFields: { gpudget: '/gpudget/' },
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/', sidebarPath: './sidebars.js' }]],
  themes: [['@docusaurus/theme-classic', { customCss: './src/css/custom.css' }]],
  themeConfig: {
    colorMode: { respectPrefersColorScheme: true },
    navbar: { title: 'Treinar modelos de linguagem', items: [{ type: 'localeDropdown', position: 'right' }] },
  },
};
export default config;
