/// The storefronts of the store: one line each with ISO 3166-1 alpha-3 and alpha-2
/// code, numeric identifier, currency, locale (language and region) and name.
///
/// Country codes, identifiers and currencies are the App Store's; the language is
/// the most spoken one of the country in Unicode's likely-subtags data, British
/// English where the store has no texts in it. Names are the short ones that are customary in
/// English today, by Unicode's data.
let storefrontTable: String = """
    USA|US|143441|USD|en_US|United States
    FRA|FR|143442|EUR|fr_FR|France
    DEU|DE|143443|EUR|de_DE|Germany
    GBR|GB|143444|GBP|en_GB|United Kingdom
    AUT|AT|143445|EUR|de_AT|Austria
    BEL|BE|143446|EUR|nl_BE|Belgium
    FIN|FI|143447|EUR|fi_FI|Finland
    GRC|GR|143448|EUR|el_GR|Greece
    IRL|IE|143449|EUR|en_IE|Ireland
    ITA|IT|143450|EUR|it_IT|Italy
    LUX|LU|143451|EUR|fr_LU|Luxembourg
    NLD|NL|143452|EUR|nl_NL|Netherlands
    PRT|PT|143453|EUR|pt_PT|Portugal
    ESP|ES|143454|EUR|es_ES|Spain
    CAN|CA|143455|CAD|en_CA|Canada
    SWE|SE|143456|SEK|sv_SE|Sweden
    NOR|NO|143457|NOK|nb_NO|Norway
    DNK|DK|143458|DKK|da_DK|Denmark
    CHE|CH|143459|CHF|de_CH|Switzerland
    AUS|AU|143460|AUD|en_AU|Australia
    NZL|NZ|143461|NZD|en_NZ|New Zealand
    JPN|JP|143462|JPY|ja_JP|Japan
    HKG|HK|143463|HKD|zh_Hant_HK|Hong Kong
    SGP|SG|143464|SGD|en_SG|Singapore
    CHN|CN|143465|CNY|zh_Hans_CN|China
    KOR|KR|143466|USD|ko_KR|South Korea
    IND|IN|143467|INR|en_GB|India
    MEX|MX|143468|MXN|es_MX|Mexico
    RUS|RU|143469|RUB|ru_RU|Russia
    TWN|TW|143470|TWD|zh_Hant_TW|Taiwan
    VNM|VN|143471|USD|vi_VN|Vietnam
    ZAF|ZA|143472|ZAR|en_ZA|South Africa
    MYS|MY|143473|USD|en_GB|Malaysia
    PHL|PH|143474|USD|en_GB|Philippines
    THA|TH|143475|USD|th_TH|Thailand
    IDN|ID|143476|IDR|id_ID|Indonesia
    PAK|PK|143477|USD|en_GB|Pakistan
    POL|PL|143478|EUR|pl_PL|Poland
    SAU|SA|143479|SAR|ar_SA|Saudi Arabia
    TUR|TR|143480|TRY|tr_TR|Türkiye
    ARE|AE|143481|AED|ar_AE|United Arab Emirates
    HUN|HU|143482|EUR|hu_HU|Hungary
    CHL|CL|143483|USD|es_CL|Chile
    NPL|NP|143484|USD|en_GB|Nepal
    PAN|PA|143485|USD|es_PA|Panama
    LKA|LK|143486|USD|en_GB|Sri Lanka
    ROU|RO|143487|EUR|ro_RO|Romania
    CZE|CZ|143489|EUR|cs_CZ|Czechia
    ISR|IL|143491|ILS|he_IL|Israel
    UKR|UA|143492|USD|uk_UA|Ukraine
    KWT|KW|143493|USD|ar_KW|Kuwait
    HRV|HR|143494|USD|hr_HR|Croatia
    CRI|CR|143495|USD|es_CR|Costa Rica
    SVK|SK|143496|EUR|sk_SK|Slovakia
    LBN|LB|143497|USD|ar_LB|Lebanon
    QAT|QA|143498|USD|ar_QA|Qatar
    SVN|SI|143499|EUR|en_GB|Slovenia
    COL|CO|143501|USD|es_CO|Colombia
    VEN|VE|143502|USD|es_VE|Venezuela
    BRA|BR|143503|USD|pt_BR|Brazil
    GTM|GT|143504|USD|es_GT|Guatemala
    ARG|AR|143505|USD|es_AR|Argentina
    SLV|SV|143506|USD|es_SV|El Salvador
    PER|PE|143507|USD|es_PE|Peru
    DOM|DO|143508|USD|es_DO|Dominican Republic
    ECU|EC|143509|USD|es_EC|Ecuador
    HND|HN|143510|USD|es_HN|Honduras
    JAM|JM|143511|USD|en_JM|Jamaica
    NIC|NI|143512|USD|es_NI|Nicaragua
    PRY|PY|143513|USD|en_GB|Paraguay
    URY|UY|143514|USD|es_UY|Uruguay
    MAC|MO|143515|USD|zh_Hant_MO|Macao
    EGY|EG|143516|USD|ar_EG|Egypt
    KAZ|KZ|143517|USD|ru_KZ|Kazakhstan
    EST|EE|143518|EUR|en_GB|Estonia
    LVA|LV|143519|EUR|en_GB|Latvia
    LTU|LT|143520|EUR|en_GB|Lithuania
    MLT|MT|143521|EUR|en_GB|Malta
    MDA|MD|143523|USD|ro_MD|Moldova
    ARM|AM|143524|USD|en_GB|Armenia
    BWA|BW|143525|USD|en_BW|Botswana
    BGR|BG|143526|EUR|en_GB|Bulgaria
    JOR|JO|143528|USD|ar_JO|Jordan
    KEN|KE|143529|USD|en_GB|Kenya
    MKD|MK|143530|USD|en_GB|North Macedonia
    MDG|MG|143531|USD|en_GB|Madagascar
    MLI|ML|143532|USD|en_GB|Mali
    MUS|MU|143533|USD|en_GB|Mauritius
    NER|NE|143534|USD|en_GB|Niger
    SEN|SN|143535|USD|fr_SN|Senegal
    TUN|TN|143536|USD|ar_TN|Tunisia
    UGA|UG|143537|USD|en_GB|Uganda
    AIA|AI|143538|USD|en_AI|Anguilla
    BHS|BS|143539|USD|en_BS|Bahamas
    ATG|AG|143540|USD|en_AG|Antigua and Barbuda
    BRB|BB|143541|USD|en_BB|Barbados
    BMU|BM|143542|USD|en_BM|Bermuda
    VGB|VG|143543|USD|en_VG|British Virgin Islands
    CYM|KY|143544|USD|en_KY|Cayman Islands
    DMA|DM|143545|USD|en_DM|Dominica
    GRD|GD|143546|USD|en_GD|Grenada
    MSR|MS|143547|USD|en_MS|Montserrat
    KNA|KN|143548|USD|en_KN|Saint Kitts and Nevis
    LCA|LC|143549|USD|en_LC|Saint Lucia
    VCT|VC|143550|USD|en_VC|Saint Vincent and the Grenadines
    TTO|TT|143551|USD|en_TT|Trinidad and Tobago
    TCA|TC|143552|USD|en_TC|Turks and Caicos Islands
    GUY|GY|143553|USD|en_GY|Guyana
    SUR|SR|143554|USD|nl_SR|Suriname
    BLZ|BZ|143555|USD|en_BZ|Belize
    BOL|BO|143556|USD|es_BO|Bolivia
    CYP|CY|143557|EUR|el_CY|Cyprus
    ISL|IS|143558|USD|en_GB|Iceland
    BHR|BH|143559|USD|ar_BH|Bahrain
    BRN|BN|143560|USD|en_GB|Brunei
    NGA|NG|143561|USD|en_NG|Nigeria
    OMN|OM|143562|USD|ar_OM|Oman
    DZA|DZ|143563|USD|ar_DZ|Algeria
    AGO|AO|143564|USD|pt_AO|Angola
    BLR|BY|143565|USD|en_GB|Belarus
    UZB|UZ|143566|USD|en_GB|Uzbekistan
    AZE|AZ|143568|USD|en_GB|Azerbaijan
    YEM|YE|143571|USD|ar_YE|Yemen
    TZA|TZ|143572|USD|en_GB|Tanzania
    GHA|GH|143573|USD|en_GB|Ghana
    ALB|AL|143575|USD|en_GB|Albania
    BEN|BJ|143576|USD|fr_BJ|Benin
    BTN|BT|143577|USD|en_GB|Bhutan
    BFA|BF|143578|USD|fr_BF|Burkina Faso
    KHM|KH|143579|USD|en_GB|Cambodia
    CPV|CV|143580|USD|pt_CV|Cape Verde
    TCD|TD|143581|USD|fr_TD|Chad
    COG|CG|143582|USD|fr_CG|Republic of the Congo
    FJI|FJ|143583|USD|en_FJ|Fiji
    GMB|GM|143584|USD|en_GM|Gambia
    GNB|GW|143585|USD|pt_GW|Guinea-Bissau
    KGZ|KG|143586|USD|en_GB|Kyrgyzstan
    LAO|LA|143587|USD|en_GB|Laos
    LBR|LR|143588|USD|en_LR|Liberia
    MWI|MW|143589|USD|en_MW|Malawi
    MRT|MR|143590|USD|ar_MR|Mauritania
    FSM|FM|143591|USD|en_FM|Micronesia
    MNG|MN|143592|USD|en_GB|Mongolia
    MOZ|MZ|143593|USD|pt_MZ|Mozambique
    NAM|NA|143594|USD|en_GB|Namibia
    PLW|PW|143595|USD|en_GB|Palau
    PNG|PG|143597|USD|en_GB|Papua New Guinea
    STP|ST|143598|USD|pt_ST|São Tomé and Príncipe
    SYC|SC|143599|USD|fr_SC|Seychelles
    SLE|SL|143600|USD|en_GB|Sierra Leone
    SLB|SB|143601|USD|en_SB|Solomon Islands
    SWZ|SZ|143602|USD|en_SZ|Eswatini
    TJK|TJ|143603|USD|en_GB|Tajikistan
    TKM|TM|143604|USD|en_GB|Turkmenistan
    ZWE|ZW|143605|USD|en_GB|Zimbabwe
    """
