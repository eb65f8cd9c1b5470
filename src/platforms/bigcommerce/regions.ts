// States and provinces by their postal codes: BigCommerce requires full names,
// https://developer.bigcommerce.com/docs/rest-management/customers/customer-addresses#create-a-customer-address
const named = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.split(',').map((pair) => pair.split('=') as [string, string]))

const regions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: named(
    'AL=Alabama,AK=Alaska,AZ=Arizona,AR=Arkansas,CA=California,CO=Colorado,CT=Connecticut,DE=Delaware,DC=District of Columbia,FL=Florida,GA=Georgia,HI=Hawaii,ID=Idaho,IL=Illinois,IN=Indiana,IA=Iowa,' +
      'KS=Kansas,KY=Kentucky,LA=Louisiana,ME=Maine,MD=Maryland,MA=Massachusetts,MI=Michigan,MN=Minnesota,MS=Mississippi,MO=Missouri,MT=Montana,NE=Nebraska,NV=Nevada,NH=New Hampshire,NJ=New Jersey,' +
      'NM=New Mexico,NY=New York,NC=North Carolina,ND=North Dakota,OH=Ohio,OK=Oklahoma,OR=Oregon,PA=Pennsylvania,RI=Rhode Island,SC=South Carolina,SD=South Dakota,TN=Tennessee,TX=Texas,UT=Utah,' +
      'VT=Vermont,VA=Virginia,WA=Washington,WV=West Virginia,WI=Wisconsin,WY=Wyoming,PR=Puerto Rico',
  ),
  CA: named(
    'AB=Alberta,BC=British Columbia,MB=Manitoba,NB=New Brunswick,NL=Newfoundland and Labrador,NS=Nova Scotia,NT=Northwest Territories,NU=Nunavut,ON=Ontario,PE=Prince Edward Island,QC=Quebec,' +
      'SK=Saskatchewan,YT=Yukon Territory',
  ),
  AU: named(
    'ACT=Australian Capital Territory,NSW=New South Wales,NT=Northern Territory,QLD=Queensland,SA=South Australia,TAS=Tasmania,VIC=Victoria,WA=Western Australia',
  ),
}
/** "CA" in the US -> "California"; anything that is not a code is unchanged. */
export const regionName = (state: string | undefined, country: string | undefined): string | undefined =>
  state === undefined ? undefined : (regions[country?.toUpperCase() ?? '']?.[state.toUpperCase()] ?? state)
